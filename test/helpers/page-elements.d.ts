/** Members of the browser's elements that tests read: React's types declare the interface without any. */
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
