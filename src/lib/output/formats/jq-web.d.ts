declare module 'jq-web' {
  interface Jq {
    /**
     * Returns undefined if there is no result. Bytes are copied at once, strings by the character.
     * @throws Error with jq's message
     */
    raw(json: string | Uint8Array, expression: string, flags: readonly string[]): string | undefined
  }
  const loading: Promise<Jq>
  export default loading
}
