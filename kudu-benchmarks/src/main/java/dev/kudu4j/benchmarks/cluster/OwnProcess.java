package dev.kudu4j.benchmarks.cluster;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The process of the benchmark itself, in which the client runs. */
public final class OwnProcess {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private OwnProcess() {}

  /** CPU time of all threads of this process so far. */
  public static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }
}
