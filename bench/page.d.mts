export const PAGES: string[]
export function pageWith(page: string, results: object): string
export function resultsText(results: object): string
