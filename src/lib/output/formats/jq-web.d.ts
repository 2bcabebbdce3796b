declare module 'jq-web' {
  interface Jq {
    /**
     * Undefined without results. Bytes are copied at once, texts by the character.
     * @throws Error with jq's message
     */
    raw(json: string | Uint8Array, expression: string, flags: readonly string[]): string | undefined
  }
  const loading: Promise<Jq>
  export default loading
}
