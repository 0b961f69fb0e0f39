/** `no-…`: the visitor's browser has it switched off. */
export const PROFILES = ['default', 'no storage', 'no cookies', 'no script'] as const
export type Profile = (typeof PROFILES)[number]

/** One window of a browser, with an empty profile. A new engine needs this and no more. */
export interface Tab {
  /** Does not wait for the document. */
  open(address: string): Promise<unknown>
  /** The function must not use anything outside itself. Without scripting, no promise settles. */
  evaluate<Value, Argument>(
    work: string | ((argument: Argument) => Value | Promise<Value>),
    argument?: Argument,
  ): Promise<Value>
  /** A character, or a key by its name in KeyboardEvent. */
  keyboard: { press(key: string): Promise<unknown> }
  mouse: {
    move(x: number, y: number): Promise<unknown>
    click(x: number, y: number): Promise<unknown>
  }
  /** A window may refuse to be as narrow. */
  resize(width: number, height: number): Promise<unknown>
  /** As PNG. */
  capture(): Promise<Buffer>
  /** Console errors and warnings and uncaught errors; undefined if the engine does not tell. */
  noise?: string[]
  close(): Promise<void>
}

export interface Engine {
  name: string
  profiles: readonly Profile[]
  open(profile: Profile): Promise<Tab>
  close?(): Promise<void>
}

const KEYS: Record<string, string> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  F8: '\uE038',
  Shift: '\uE008',
  Tab: '\uE004',
}

/** Actions of the WebDriver standards, classic and BiDi. */
export function pressKey(key: string): object[] {
  const value = KEYS[key] ?? key
  const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }))
  return [{ type: 'key', id: 'keyboard', actions }]
}

export function movePointer(x: number, y: number, clicks = false): object[] {
  const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
  const actions = [
    { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
    ...(clicks ? press : []),
  ]
  return [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]
}

/** The body of a function that returns JSON, or a promise of it. */
export function writeScript(work: unknown, argument: unknown): string {
  const call = typeof work === 'string' ? work : `(${work})(${JSON.stringify(argument)})`
  return `const value = ${call}
    return value?.then ? value.then((each) => JSON.stringify(each)) : JSON.stringify(value)`
}
