import { createHash } from 'node:crypto'
import { escapeHtml } from './escape.ts'

export interface HtmlPage {
  title: string
  /** English by default. */
  language?: string
  style: string
  /** The page may run this script alone. */
  script?: string
  /** Content of `main`, with all that is not ours escaped. */
  main: string
}

/** A page that may load nothing: it works offline, and what the service sends can only be read. */
export function htmlPage({ title, language = 'en', style, script, main }: HtmlPage): string {
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`
  const policy = `default-src 'none'; style-src '${hashOf(style)}';${scripts} img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
