import * as Radix from '@radix-ui/react-tooltip'
import type { ComponentPropsWithRef, ReactElement } from 'react'
import { type Language, LOCALES } from '../../shared/language.ts'

const DELAY_MS = 700
/** A tooltip that closed less than this time ago opens again at once. */
const SKIP_DELAY_MS = 300

export interface TooltipProps {
  text: string
  language: Language
  children: ReactElement<ComponentPropsWithRef<'button'>>
}

/**
 * A tooltip does not open on touch, so the control needs a label. The site has one tooltip; to skip the delay, a second
 * one would have to share its provider.
 */
export function RadixTooltip({ text, language, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Content
          className="tooltip"
          sideOffset={10}
          collisionPadding={16}
          lang={LOCALES[language]}
        >
          <span>{text}</span>
        </Radix.Content>
      </Radix.Root>
    </Radix.Provider>
  )
}
