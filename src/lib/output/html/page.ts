import { hash } from 'node:crypto'
import { escapeMarkup } from '../../wire/plain.ts'
import { visible } from '../visible.ts'
import base from './base.css'

interface HtmlPage {
  title: string
  language?: string
  style: string
  /** The only script that the page may run. */
  script?: string
  main: string
}

/** Makes a page that works offline and may load nothing. */
export function htmlPage({ title, language = 'en', style, script, main }: HtmlPage): string {
  const allStyle = base + style
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`
  const policy = `default-src 'none'; style-src '${hashOf(allStyle)}';${scripts} img-src data:; base-uri 'none'; form-action 'none'`
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
<style>${allStyle}</style>
</head>
<body>
<main>
${main}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

function hashOf(text: string) {
  return `sha256-${hash('sha256', text, 'base64')}`
}

export function escapeHtml(text: string): string {
  return escapeMarkup(visible(text))
}
