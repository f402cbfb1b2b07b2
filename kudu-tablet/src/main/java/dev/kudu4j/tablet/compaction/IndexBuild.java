package dev.kudu4j.tablet.compaction;

import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.checkpoint.NewFiles;
import dev.kudu4j.tablet.checkpoint.RowSetIndexer;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;

/** Writes the index files that a rowset lacks, and drops those of indexes that were dropped. */
public final class IndexBuild extends FileReplacement {
  private final TabletDescriptor tablet;

  /**
   * @param rowSet pinned until this update is closed
   * @param tablet the tablet's current descriptor
   */
  public IndexBuild(TabletEnvironment environment, DiskRowSet rowSet, TabletDescriptor tablet) {
    super(environment, rowSet, 0);
    this.tablet = tablet;
  }

  @Override
  protected RowSetFiles replace(NewFiles files) throws IOException {
    return new RowSetIndexer(environment(), files, this::releaseLater)
        .index(rowSet().id(), rowSet().onDisk(), tablet.indexes(), tablet.schema());
  }

  @Override
  public String toString() {
    return "Index build of %s".formatted(rowSet());
  }
}
