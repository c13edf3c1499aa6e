const NAME = /^bookstall-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.db$/;

/** The name of a backup in a folder of them: `bookstall-20261120T181900123Z.db`, so that names sort by time. */
export function backupName(at: number): string {
  return `bookstall-${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}.db`;
}

/** When a backup of that name was made, in milliseconds since 1970; null if the name is not that of a backup. */
export function backupTime(name: string): number | null {
  const [, year, month, day, hour, minute, second, rest] = NAME.exec(name) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`);
  return Number.isNaN(at) ? null : at;
}
