/** The current time for ages and rates, every second while `isOn`. */
import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

export function useNow(isOn: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
