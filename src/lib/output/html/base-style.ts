export const LIGHT_COLOURS = `--back:#f4f6f8;--card:#fff;--text:#1b2430;--soft:#4d5967;--line:#d5dce4`
const DARK_COLOURS = `--back:#11151b;--card:#1a2028;--text:#e8ecf1;--soft:#aab5c1;--line:#333d49`

/** Style that all pages begin with: colours (further ones as `;--name:value`), text, widths. */
export function baseStyle(light: string, dark: string): string {
  return `:root{color-scheme:light dark;${LIGHT_COLOURS}${light}}
@media (prefers-color-scheme:dark){:root{${DARK_COLOURS}${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1240px;margin:0 auto;padding:20px}
header{margin-bottom:16px}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
`
}
