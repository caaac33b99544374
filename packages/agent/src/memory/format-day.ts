/** A moment as the date of this machine's time zone: YYYY-MM-DD, as the files of memory are named. */
export function formatDay(at: number): string {
  return new Intl.DateTimeFormat('en-CA').format(at)
}
