/** The processor time of this process, in milliseconds: that of a busy machine's other programs is not in it. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
