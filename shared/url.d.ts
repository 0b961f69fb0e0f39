/** The one global of the web platform that shared/ uses; Node and browsers both have it. */
declare class URL {
  constructor(url: string)
  readonly hostname: string
}
