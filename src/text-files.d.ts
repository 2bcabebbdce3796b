/** Texts of files that the build takes in. */
declare module '*.yaml' {
  const text: string
  export default text
}
declare module '*.css' {
  const text: string
  export default text
}
declare module '*.bash' {
  const text: string
  export default text
}
declare module '*.zsh' {
  const text: string
  export default text
}
declare module '*.fish' {
  const text: string
  export default text
}
declare module '*.ps1' {
  const text: string
  export default text
}
