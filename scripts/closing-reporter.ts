import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { DefaultReporter } from 'vitest/node'
import type { SerializedError, TestCase, TestModule, TestRunEndReason, TestSpecification } from 'vitest/node'

/**
 * Vitest's own report, then what was left out and why, then `N passed, N failed` alone on the last line.
 * Where `CI` is `true` the machine has everything, so that leaving something out fails the run.
 * `LONGHAUL_UNFINISHED_TESTS` names a file that gets the paths of all test files that did not pass or were never run.
 */
export default class ClosingReporter extends DefaultReporter {
  #files: readonly string[] = []

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    this.#files = specifications.map(({ moduleId }) => moduleId)
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, unhandledErrors, reason)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const isFiltered = this.ctx.config.testNamePattern !== undefined
    const leftOut = tests.filter((test) => isLeftOut(test, isFiltered))
    for (const line of describeLeftOut(leftOut)) this.ctx.logger.log(`Left out: ${line}`)
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    const broken = modules
      .flatMap((module) => [module, ...module.children.allSuites()])
      .flatMap((part) => part.errors())
    this.ctx.logger.log(`${passed} passed, ${failed + broken.length + unhandledErrors.length} failed`)
    if (leftOut.length > 0 && process.env['CI'] === 'true') process.exitCode = 1

    const list = process.env['LONGHAUL_UNFINISHED_TESTS']
    if (list === undefined) return
    const finished = new Set(modules.filter((module) => module.state() === 'passed').map(({ moduleId }) => moduleId))
    for (const { module } of leftOut) finished.delete(module.moduleId)
    const unfinished = this.#files.filter((file) => !finished.has(file))
    writeFileSync(list, unfinished.map((file) => `${relative(this.ctx.config.root, file)}\n`).join(''))
  }
}

/** With `-t` every other test is skipped without a reason; those were not asked for. */
function isLeftOut(test: TestCase, isFiltered: boolean): boolean {
  const result = test.result()
  return result.state === 'skipped' && (result.note !== undefined || !isFiltered)
}

/** One line for each file and reason, so that a missing browser or data folder does not fill the screen. */
function describeLeftOut(tests: readonly TestCase[]): string[] {
  const groups = Map.groupBy(tests, (test) => `${test.module.moduleId}\n${reasonOf(test)}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const file = relative(first.project.config.root, first.module.moduleId)
    return [`${file}: ${group.length === 1 ? first.fullName : `${group.length} tests`}: ${reasonOf(first)}`]
  })
}

function reasonOf(test: TestCase): string {
  const result = test.result()
  return (result.state === 'skipped' ? result.note : undefined) ?? 'no reason given'
}
