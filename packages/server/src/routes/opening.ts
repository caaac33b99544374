import type { Context } from 'hono'
import type { App, ServerContext } from '../server-context.ts'

/**
 * The one-time address: it gives the browser that opens it the right to allow tool calls and sends it on to the app, so
 * that the code is in no history. Only a person's own visit uses the code up: not a look at the headers, not a browser
 * that fetches ahead, and nothing that a page loads.
 */
export function addOpeningRoute(app: App, { approvalRight }: ServerContext): void {
  app.get('/open/:code', (context) => {
    if (!isVisit(context)) return context.body(null, 403)
    const isGranted = approvalRight.grant(context, context.req.param('code'))
    // A browser that restores its tabs comes by an address that it has opened before.
    if (isGranted || approvalRight.isHeldBy(context)) return context.redirect('/', 303)
    return context.html(USED, 403)
  })
}

function isVisit({ req }: Context): boolean {
  const purpose = `${req.header('sec-purpose') ?? ''} ${req.header('purpose') ?? ''} ${req.header('x-moz') ?? ''}`
  const destination = req.header('sec-fetch-dest') ?? 'document'
  return req.method === 'GET' && !purpose.includes('prefetch') && destination === 'document'
}

const USED = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Longhaul</title>
<h1>This address was opened before, or belongs to an earlier start of Longhaul</h1>
<p>Each works once. In a terminal, Longhaul prints a new one: open the newest. Elsewhere, start Longhaul again. If you did not
open this one yourself, another program on this machine did, and can now allow tool calls: start Longhaul again.</p>
<p><a href="/">Go on without the right to allow tool calls</a></p></html>`
