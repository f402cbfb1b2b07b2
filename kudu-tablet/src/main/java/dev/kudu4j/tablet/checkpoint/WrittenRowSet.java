package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Liveness;
import java.nio.file.Path;

/**
 * A rowset whose files are complete and synced.
 *
 * @param redo the changes of its rows up to the boundary; null when there were none
 * @param liveness at the boundary
 */
record WrittenRowSet(long id, Path base, Path redo, Liveness liveness) {}
