import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that take minutes: `npm run test:hosts` runs them. */
const LONG_TESTS = ['test/hosts/seven-in-one-app.real-host.test.ts']
const isLong = process.env['LONGHAUL_TEST_HOSTS'] === 'long'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'hosts/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isLong ? [] : LONG_TESTS)],
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
