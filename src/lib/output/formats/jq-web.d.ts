declare module 'jq-web' {
  interface Jq {
    /**
     * Bytes of JSON are copied, a text goes in a character at a time. Results as jq writes them, without the last line feed; undefined without any.
     * @throws Error with jq's message
     */
    raw(json: string | Uint8Array, expression: string, flags: readonly string[]): string | undefined
  }
  const loading: Promise<Jq>
  export default loading
}
