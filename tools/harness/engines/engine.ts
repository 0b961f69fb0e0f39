/** `no …`: the visitor has switched off this feature of the browser. `dark`: the system is dark. */
export const PROFILES = ['default', 'dark', 'no storage', 'no cookies', 'no script'] as const
export type Profile = (typeof PROFILES)[number]

/** Opens a window in a new, empty browser profile. */
export type Engine = (profile: Profile) => Promise<Tab>

/** The methods except `open` are named as in Playwright's `Page`. */
export interface Tab {
  /** Starts a navigation; does not wait until the document is loaded. */
  open(url: string): Promise<unknown>
  /** `work` runs in the page, so a function must not use anything outside itself. */
  evaluate<Value, Argument>(
    work: string | ((argument: Argument) => Value | Promise<Value>),
    argument?: Argument,
  ): Promise<Value>
  /** `key`: a character, or a name in KEYS, such as `Tab`. */
  keyboard: { press(key: string): Promise<unknown> }
  mouse: {
    move(x: number, y: number): Promise<unknown>
    click(x: number, y: number): Promise<unknown>
  }
  /** The window stays wider if the browser does not allow a width this small. */
  setViewportSize(size: { width: number; height: number }): Promise<unknown>
  /** Console errors and warnings, and uncaught errors; undefined if the engine does not report them. */
  noise?: string[]
  close(): Promise<void>
}

const KEYS: Record<string, string> = {
  Escape: '\uE00C',
  Shift: '\uE008',
  Tab: '\uE004',
}

/** The parts of a tab that are the same in classic WebDriver and in BiDi. */
export function createWebDriverTab(
  /** Runs the body of a function that returns JSON or a promise of JSON. */
  call: (body: string) => Promise<string | null | undefined>,
  act: (actions: object[]) => Promise<unknown>,
): Pick<Tab, 'evaluate' | 'keyboard' | 'mouse'> {
  const point = (x: number, y: number, types: string[] = []) => {
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
    const actions = [move, ...types.map((type) => ({ type, button: 0 }))]
    return act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }])
  }
  return {
    async evaluate(work, argument) {
      const value = typeof work === 'string' ? work : `(${work})(${JSON.stringify(argument)})`
      // The code in the page is not async: with scripting off, no promise settles, so no answer would arrive.
      const json = await call(`const value = ${value}
        return value?.then ? value.then((each) => JSON.stringify(each)) : JSON.stringify(value)`)
      return JSON.parse(json ?? 'null')
    },
    keyboard: {
      press(key) {
        const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] ?? key }))
        return act([{ type: 'key', id: 'keyboard', actions }])
      },
    },
    mouse: {
      move: (x, y) => point(x, y),
      click: (x, y) => point(x, y, ['pointerDown', 'pointerUp']),
    },
  }
}
