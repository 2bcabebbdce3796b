export const PRINTER_LANGUAGES = ['zpl', 'pdf'] as const

export type PrinterLanguage = (typeof PRINTER_LANGUAGES)[number]

export const SHEET_NAMES = ['a4', 'letter', 'a6', '4x6'] as const

export type Sheet = (typeof SHEET_NAMES)[number]
