import { useSyncExternalStore } from 'react'
import { attempt } from '../attempt.ts'

const subscribe = () => () => {}
const canPrint = () => attempt(() => typeof window.print === 'function') ?? false

/** Opens the browser's print dialog. Firefox for Android has none. */
export function PrintLine({ text }: { text: string }) {
  if (!useSyncExternalStore(subscribe, canPrint, () => true)) return null
  return (
    <p className="hint needs-script">
      <button className="link-button" type="button" onClick={() => attempt(() => window.print())}>
        {text}
      </button>
    </p>
  )
}
