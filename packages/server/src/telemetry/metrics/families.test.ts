import { describe, expect, it } from 'vitest'
import { createCounter, createGauge, createHistogram } from './families.ts'

describe('what Prometheus reads', () => {
  it('a counter for each set of labels, escaped', () => {
    const counter = createCounter({ name: 'a_total', help: 'All of it.' })
    counter.add({ kind: 'x' })
    counter.add({ kind: 'x' }, 2)
    counter.add({ kind: 'a "b"\\\n' })
    expect(counter.render().split('\n')).toEqual([
      '# HELP a_total All of it.',
      '# TYPE a_total counter',
      'a_total{kind="x"} 3',
      String.raw`a_total{kind="a \"b\"\\\n"} 1`,
    ])
  })

  it('a gauge goes up and down', () => {
    const gauge = createGauge({ name: 'open', help: 'Now.' })
    gauge.change(2)
    gauge.change(-1)
    expect(gauge.render()).toContain('\nopen 1')
  })

  it('the buckets of a histogram hold all that is not more', () => {
    const histogram = createHistogram({ name: 'wait', help: 'Seconds.', buckets: [0.1, 1] })
    for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe({ route: '/' }, value)
    expect(histogram.render().split('\n').slice(2)).toEqual([
      'wait_bucket{route="/",le="0.1"} 2',
      'wait_bucket{route="/",le="1"} 3',
      'wait_bucket{route="/",le="+Inf"} 4',
      'wait_sum{route="/"} 7.65',
      'wait_count{route="/"} 4',
    ])
  })
})
