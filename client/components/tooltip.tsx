import { cloneElement, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ErrorBoundary } from '../crash.tsx'
import type { TooltipProps } from './radix-tooltip.tsx'

/** Loads the tooltip code on the first hover or keyboard focus. */
export function Tooltip(props: TooltipProps) {
  const [Radix, setRadix] = useState<typeof import('./radix-tooltip.tsx')>()
  const trigger = useRef<HTMLButtonElement>(null)

  const load = async () => {
    try {
      const loaded = await import('./radix-tooltip.tsx')
      // Replacing the control during a press would lose the click.
      if (trigger.current?.matches(':active')) return
      const hasFocus = document.activeElement === trigger.current
      const isHovered = trigger.current?.matches(':hover')
      // React replaces the control, so the focus is lost. The next lines need the new control.
      flushSync(() => setRadix(loaded))
      if (hasFocus) trigger.current?.focus({ preventScroll: true })
      // The tooltip waits for this event, but a resting pointer sends none.
      if (isHovered)
        trigger.current?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
    } catch {
      // Without its tooltip, the control still has its accessible name.
    }
  }

  const control = cloneElement(props.children, { ref: trigger })
  if (Radix)
    return (
      <ErrorBoundary fallback={control}>
        <Radix.RadixTooltip {...props}>{control}</Radix.RadixTooltip>
      </ErrorBoundary>
    )
  return cloneElement(control, {
    // Not pointerenter, which LanguageButton uses.
    onPointerOver: ({ pointerType }) => {
      if (pointerType !== 'touch') load()
    },
    onFocusCapture: ({ target }) => {
      if (target.matches(':focus-visible')) load()
    },
  })
}
