/** The first match names the program: most browsers name the others too. */
const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\bChromium\//, 'Chromium'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** A session's program in plain words, such as `Firefox on Linux`, from its user agent, which may be anything. */
export function nameProgram(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'An unnamed program';
  const program = find(PROGRAMS, userAgent);
  const system = find(SYSTEMS, userAgent);
  if (program === undefined) return system === undefined ? 'Another program' : `Another program on ${system}`;
  return system === undefined ? program : `${program} on ${system}`;
}

function find(table: typeof PROGRAMS, text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
