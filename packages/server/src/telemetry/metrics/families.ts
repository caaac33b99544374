type Labels = Readonly<Record<string, string>>

/** Numbers of one name, as Prometheus reads them. */
interface Family {
  render(): string
}

export interface Counter extends Family {
  add(labels: Labels, amount?: number): void
}

export interface Gauge extends Family {
  change(by: number): void
}

export interface Histogram extends Family {
  observe(labels: Labels, value: number): void
}

interface FamilyOptions {
  readonly name: string
  readonly help: string
}

export function createCounter({ name, help }: FamilyOptions): Counter {
  const values = new Map<string, number>()
  return {
    add(labels, amount = 1) {
      const key = renderLabels(labels)
      values.set(key, (values.get(key) ?? 0) + amount)
    },
    render: () =>
      renderFamily(
        { name, help, type: 'counter' },
        [...values].map(([labels, value]) => [labels, value]),
      ),
  }
}

export function createGauge({ name, help }: FamilyOptions): Gauge {
  let value = 0
  return {
    change(by) {
      value += by
    },
    render: () => renderFamily({ name, help, type: 'gauge' }, [['', value]]),
  }
}

export function createHistogram({
  name,
  help,
  buckets,
}: FamilyOptions & { readonly buckets: readonly number[] }): Histogram {
  const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }>()
  return {
    observe(labels, value) {
      const key = renderLabels(labels)
      const one = series.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 }
      series.set(key, one)
      one.sum += value
      one.count += 1
      for (const [index, bound] of buckets.entries())
        if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1
    },
    render() {
      const lines = [...series.values()].flatMap(({ labels, counts, sum, count }) => [
        ...buckets.map(
          (bound, index) => `${name}_bucket${renderLabels({ ...labels, le: String(bound) })} ${counts[index]}`,
        ),
        `${name}_bucket${renderLabels({ ...labels, le: '+Inf' })} ${count}`,
        `${name}_sum${renderLabels(labels)} ${sum}`,
        `${name}_count${renderLabels(labels)} ${count}`,
      ])
      return [...headOf({ name, help, type: 'histogram' }), ...lines].join('\n')
    },
  }
}

interface Head extends FamilyOptions {
  readonly type: string
}

function renderFamily(head: Head, samples: readonly (readonly [labels: string, value: number])[]): string {
  return [...headOf(head), ...samples.map(([labels, value]) => `${head.name}${labels} ${value}`)].join('\n')
}

function headOf({ name, help, type }: Head): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

/** Empty without any, so that it can stand behind every name. */
function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
