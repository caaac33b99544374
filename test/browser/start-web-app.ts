import { createClient } from '@longhaul/protocol'
import type { Client } from '@longhaul/protocol'
import { buildWeb, startServer } from '@longhaul/server'
import type { RunningServer } from '@longhaul/server'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { openRuntime } from '../../packages/server/src/testing/start-app.ts'
import type { RuntimeWishes } from '../../packages/server/src/testing/start-app.ts'
import { openPage } from './open-page.ts'
import type { PageWishes } from './open-page.ts'

export interface WebAppWishes extends RuntimeWishes {
  /** Whoever has it not gets no answer. */
  readonly token?: string
}

interface OpeningWishes extends PageWishes {
  /** By the plain address, not by the one-time address that a person is given. */
  readonly isPlain?: boolean
}

export interface WebAppUnderTest extends Pick<RunningServer, 'createOpeningAddress'> {
  readonly url: string
  readonly client: Client
  /** Says something and waits until everything that follows is done, maintenance included. */
  say(sessionId: string, text: string): Promise<void>
  /** A page of the app, opened as a person does; it fails the test if it complains of anything. */
  open(browser: Browser, wishes?: OpeningWishes): Promise<Page>
}

/** The real server with the real page, in a folder of its own, gone after the test. Without a script, on the offline model. */
export async function startWebApp({ token, ...wishes }: WebAppWishes = {}): Promise<WebAppUnderTest> {
  const model = wishes.script === undefined ? { model: 'offline/extractive', models: {} } : {}
  const environment = token === undefined ? {} : { LONGHAUL_TOKEN: token }
  const server = await startServer({
    runtime: (parts) => openRuntime({ ...model, environment, ...wishes, ...parts }),
    port: 0,
    webFolder: await buildWeb({ note: () => undefined }),
    graceMs: 0,
  })
  onTestFinished(() => server.close())
  const { url } = server
  return {
    url,
    createOpeningAddress: () => server.createOpeningAddress(),
    client: createClient({ baseUrl: url, ...(token === undefined ? {} : { token }) }),
    async say(sessionId, text) {
      const response = await fetch(`${url}/api/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ text }),
      })
      if (!response.ok) throw new Error(await response.text())
      await response.text()
    },
    open: (browser, { isPlain = false, ...wished } = {}) =>
      openPage(browser, (isPlain ? null : server.createOpeningAddress()) ?? url, wished),
  }
}
