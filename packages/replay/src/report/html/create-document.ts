export interface DocumentParts {
  /** Markup, as the body and the style are. */
  readonly title: string
  readonly style: string
  readonly body: string
  /** Whether the body has scripts of its own. */
  readonly hasScript: boolean
}

/** An HTML page in one file: its policy lets nothing be loaded, sent or framed. */
export function createDocument({ title, style, body, hasScript }: DocumentParts): string {
  const script = hasScript ? " script-src 'unsafe-inline';" : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';${script} base-uri 'none'; form-action 'none'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}
