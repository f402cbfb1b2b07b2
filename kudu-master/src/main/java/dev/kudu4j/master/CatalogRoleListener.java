package dev.kudu4j.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.master.service.MasterLeadership;
import dev.kudu4j.server.replica.TabletReplica;

/**
 * Turns the notifications of the catalog's replica into calls of {@link MasterLeadership}: at most
 * one call of {@code elected} per term, and at most one call of {@code following} between two calls
 * of {@code elected}, however many notifications arrive.
 */
final class CatalogRoleListener implements TabletReplica.ChangeListener {
  private static final long NONE = -1;

  private final MasterLeadership leadership;

  @GuardedBy("this")
  private long ledTerm = NONE;

  @GuardedBy("this")
  private boolean follows;

  CatalogRoleListener(MasterLeadership leadership) {
    this.leadership = leadership;
  }

  @Override
  public synchronized void changed(TabletReplica replica) {
    if (!replica.isLeader()) {
      ledTerm = NONE;
      if (!follows) {
        follows = true;
        leadership.following();
      }
      return;
    }
    long term = replica.consensus().term();
    if (term != ledTerm) {
      ledTerm = term;
      follows = false;
      leadership.elected();
    }
  }
}
