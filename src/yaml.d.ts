/** Text of a file that the build takes in. */
declare module '*.yaml' {
  const text: string
  export default text
}
