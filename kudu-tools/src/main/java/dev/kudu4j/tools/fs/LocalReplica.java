package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import dev.kudu4j.tserver.tablets.TabletAttributes;
import java.io.IOException;

/** A replica as its superblock says. */
record LocalReplica(
    TabletEnvironment environment, SuperblockPB superblock, TabletDescriptor descriptor) {
  /**
   * Reads the superblock.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION
   */
  static LocalReplica read(TabletEnvironment environment) throws IOException {
    SuperblockPB superblock =
        new SuperblockFile(environment.files(), environment.directory()).read();
    return new LocalReplica(environment, superblock, SuperblockMessages.descriptor(superblock));
  }

  /** The rows it covers, in words; empty for a tablet that has no partition, as the catalog. */
  String partition() {
    return TabletAttributes.partitionText(descriptor);
  }
}
