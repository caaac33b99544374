/** Whether everything an `Accept` header asks for is JSON. Without the header, anything is welcome. */
export function acceptsOnlyJson(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    return type === '' || isRefused ? [] : [type]
  })
  return types.length > 0 && types.every((type) => /^application\/(?:[\w.-]+\+)?json$/.test(type))
}
