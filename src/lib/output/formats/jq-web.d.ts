declare module 'jq-web' {
  interface Jq {
    /**
     * Results as jq writes them, without the last line feed; undefined without any. Bytes go in at once, a text by the
     * character.
     * @throws Error with jq's message
     */
    raw(json: string | Uint8Array, expression: string, flags: readonly string[]): string | undefined
  }
  const loading: Promise<Jq>
  export default loading
}
