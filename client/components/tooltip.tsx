import { cloneElement, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RadixTooltip, TooltipProps } from './radix-tooltip.tsx'

/** A tooltip whose code comes with the first hover or focus that wants it. */
export function Tooltip(props: TooltipProps) {
  const [Radix, setRadix] = useState<{ Tooltip: typeof RadixTooltip }>()
  const trigger = useRef<HTMLButtonElement>(null)

  /** Radix wraps the control, which makes it anew: in one go, so that no key finds it without its focus. */
  const wrap = (loaded: typeof RadixTooltip) => {
    const held = document.activeElement === trigger.current
    flushSync(() => setRadix({ Tooltip: loaded }))
    if (held) trigger.current?.focus({ preventScroll: true })
  }

  const load = async () => {
    try {
      const { RadixTooltip: loaded } = await import('./radix-tooltip.tsx')
      await released(trigger.current)
      wrap(loaded)
    } catch {
      // The control has its name without it.
    }
  }

  const control = cloneElement(props.children, { ref: trigger })
  if (Radix) return <Radix.Tooltip {...props}>{control}</Radix.Tooltip>
  return cloneElement(control, {
    onPointerEnter: ({ pointerType }) => {
      if (pointerType !== 'touch') load()
    },
    onFocus: ({ target }) => {
      if (target.matches(':focus-visible')) load()
    },
  })
}

/** Resolves when a control is not being pressed: one that is replaced under a finger loses its click. */
function released(control: HTMLElement | null): Promise<void> {
  return new Promise((resolve) => {
    if (!control?.matches(':active')) {
      resolve()
      return
    }
    const events = ['pointerup', 'pointercancel', 'keyup'] as const
    const end = () => {
      for (const name of events) window.removeEventListener(name, end)
      setTimeout(resolve)
    }
    for (const name of events) window.addEventListener(name, end)
  })
}
