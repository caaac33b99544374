export { renderTable } from '@longhaul/replay'
export type { Table } from '@longhaul/replay'
