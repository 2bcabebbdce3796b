export const GLYPHS_FOLDER: string
export const RANGES: Record<string, [first: number, last: number]>
export function makeGlyphFile(name: string): Promise<string>
