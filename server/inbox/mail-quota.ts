/** How much of the mail of an hour has been used; times are in epoch ms. */
export interface MailQuota {
  /** Mails that went within the hour, or are being sent. */
  used: number
  /** When the oldest of them ends to count; null when there is none. */
  freeAt: number | null
}

/** How many mails may still go now. */
export function getAllowance({ used }: MailQuota, mailPerHour: number): number {
  return Math.max(0, mailPerHour - used)
}

/** How long until a mail that is due at a time may go, in ms. */
export function getTimeToMail(
  quota: MailQuota,
  { mailPerHour, dueAt, now }: { mailPerHour: number; dueAt: number; now: number },
): number {
  const isHeld = getAllowance(quota, mailPerHour) === 0
  return Math.max(dueAt, isHeld ? (quota.freeAt ?? now) : dueAt) - now
}

/** How many of the mails that are due wait, because as many as an hour may have went. */
export function countHeld(quota: MailQuota, mailPerHour: number, due: number): number {
  return Math.max(0, due - getAllowance(quota, mailPerHour))
}
