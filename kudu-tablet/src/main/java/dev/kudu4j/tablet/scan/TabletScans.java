package dev.kudu4j.tablet.scan;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;

/** Opens scans. */
public final class TabletScans {
  private TabletScans() {}

  /**
   * Opens a scan of one version of a tablet's parts.
   *
   * @param components takes the caller's pin, also when this fails; given back by the scanner's
   *     close
   * @param currentSchema the tablet's columns with ids: says which are keys, and the read defaults
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION from a file
   */
  public static TabletScanner open(
      TabletEnvironment environment, Components components, Schema currentSchema, ScanSpec spec)
      throws IOException {
    throw new UnsupportedOperationException("stub");
  }
}
