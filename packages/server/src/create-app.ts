import { OpenAPIHono } from '@hono/zod-openapi'
import { answerFaults } from './answer-faults.ts'
import { answerFailure } from './api-failure.ts'
import { addBodyGuards, addDoorGuards } from './guard/add-guards.ts'
import { addArtifactRoutes } from './routes/artifacts.ts'
import { addAuditRoutes } from './routes/audit.ts'
import { addChatRoutes } from './routes/chat.ts'
import { addCommandRoutes } from './routes/commands.ts'
import { addCompactionRoutes } from './routes/compactions.ts'
import { addContextRoutes } from './routes/context.ts'
import { addEventRoutes } from './routes/events.ts'
import { addGatewayRoute } from './routes/gateway.ts'
import { addHealthRoute, addReadyRoute } from './routes/health.ts'
import { addMarkRoutes } from './routes/marks.ts'
import { addMemoryRoutes } from './routes/memory.ts'
import { addMessageRoutes } from './routes/messages.ts'
import { addMetricsRoute } from './routes/metrics.ts'
import { addModelRoutes } from './routes/models.ts'
import { addOpenApiRoute } from './routes/openapi.ts'
import { addOpeningRoute } from './routes/opening.ts'
import { addPinRoutes } from './routes/pins.ts'
import { addRecallRoute } from './routes/recall.ts'
import { addRequestRoutes } from './routes/requests.ts'
import { addSampleRoutes } from './routes/samples.ts'
import { addSessionRoutes } from './routes/sessions.ts'
import { addSteeringRoutes } from './routes/steering.ts'
import { addTransferRoutes } from './routes/transfer.ts'
import type { App, ServerContext } from './server-context.ts'
import { watchRequests } from './telemetry/watch-requests.ts'

/** The API as one function from requests to answers; it listens nowhere by itself. */
export function createApp(server: ServerContext): App {
  const app: App = new OpenAPIHono({
    defaultHook: (result, context) =>
      result.success ? undefined : answerFailure(context, 'invalid-request', describeIssues(result.error.issues)),
  })
  answerFaults(app, server)
  app.use(watchRequests(server))
  addDoorGuards(app, server)
  addGatewayRoute(app, server)
  addBodyGuards(app)
  addHealthRoute(app, server)
  addReadyRoute(app, server)
  addSessionRoutes(app, server)
  addMessageRoutes(app, server)
  addEventRoutes(app, server)
  addSteeringRoutes(app, server)
  addPinRoutes(app, server)
  addRecallRoute(app, server)
  addChatRoutes(app, server)
  addContextRoutes(app, server)
  addRequestRoutes(app, server)
  addCompactionRoutes(app, server)
  addMarkRoutes(app, server)
  addArtifactRoutes(app, server)
  addMemoryRoutes(app, server)
  addModelRoutes(app, server)
  addAuditRoutes(app, server)
  addCommandRoutes(app, server)
  addSampleRoutes(app, server)
  addTransferRoutes(app, server)
  addMetricsRoute(app, server)
  addOpeningRoute(app, server)
  addOpenApiRoute(app, server)
  return app
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const MAX_ISSUE_CHARS = 1_000

function describeIssues(issues: readonly Issue[]): string {
  const text = issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ')
  return text.length > MAX_ISSUE_CHARS ? `${text.slice(0, MAX_ISSUE_CHARS)} …` : text
}
