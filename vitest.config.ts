import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'hosts/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    isolate: false,
    // Tests of processes, timers and browsers wait half of their time, so two workers suit two processors.
    maxWorkers: 2,
    globalSetup: ['./test/postgres/global-setup.ts'],
    // Property tests run hundreds of cases, on slow machines too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['./scripts/closing-reporter.ts'],
  },
})
