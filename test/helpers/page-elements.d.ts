/** Members of browser elements that tests read; React's types declare the interface empty. */
interface Element {
  readonly id: string
  readonly outerHTML: string
  readonly textContent: string | null
  readonly classList: { contains(name: string): boolean }
  getAttribute(name: string): string | null
  getBoundingClientRect(): {
    width: number
    height: number
    left: number
    right: number
    top: number
    bottom: number
  }
}
