const ONE_YEAR = 365 * 24 * 60 * 60

/** A visitor's choice as a cookie of one year for the whole site: as a server sets it and a page writes it. */
export function writeCookie(name: string, value: string, secure: boolean): string {
  return `${name}=${value}; Max-Age=${ONE_YEAR}; Path=/; SameSite=Lax${secure ? '; Secure' : ''}`
}
