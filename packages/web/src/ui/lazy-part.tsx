import { Component, Suspense } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Spinner } from './spinner.tsx'

export interface LazyPartProps {
  readonly children: ReactNode
  /** While it is not there yet. */
  readonly waiting?: ReactNode
  /** In place of a part that could not be loaded or has failed. */
  readonly failed?: ReactNode
}

/** A part of the page that comes in a file of its own: whatever happens to it, the rest of the page stays. */
export class LazyPart extends Component<LazyPartProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    const { children, waiting = <Spinner label="Loading" className="m-6" />, failed = <Failed /> } = this.props
    return this.state.hasFailed ? failed : <Suspense fallback={waiting}>{children}</Suspense>
  }
}

/** A browser asks for a missing file once only, so nothing but loading the page helps. */
function Failed() {
  return (
    <div role="alert" className="space-y-3 p-6 text-sm">
      <p>
        This part could not be loaded: Longhaul may have been updated meanwhile. Your conversations are not affected.
      </p>
      <Button size="small" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}
