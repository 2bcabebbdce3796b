/** A short name for the beginning of a command line: `late` for `returns stuck --offline`. */
export interface Alias {
  name: string
  /** As typed behind `rma`; `$1` is the first argument, and so on. */
  expansion: string
}
