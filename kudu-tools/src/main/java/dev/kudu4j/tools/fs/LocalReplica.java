package dev.kudu4j.tools.fs;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import dev.kudu4j.tserver.tablets.TabletAttributes;
import java.io.IOException;

/** A replica on this machine, as its superblock describes it. */
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

  /** The partition as text; empty for a tablet without a partition, such as the catalog. */
  String partition() {
    return TabletAttributes.partitionText(descriptor);
  }
}
