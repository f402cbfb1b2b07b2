package dev.kudu4j.master.reconcile;

/**
 * One thing that is left to do. An action names its subject and carries no orders: its executor
 * first looks up what is wanted. So an action may be started twice, too late or after a fail-over
 * without harm.
 */
public sealed interface Action {

  /** Carries actions out. */
  interface Executor {
    /** Brings one server's replica to what {@link Reconciler#desired} says. */
    void ensureReplica(String tabletId, String serverUuid);

    void alterSchema(String tabletId);

    void changeMembership(String tabletId);

    void replaceTablet(String tabletId);

    void recordCreated(String tabletId, String serverUuid);

    void finishTable(String tableId);

    void removeExpired(String tableId);
  }

  void execute(Executor executor);

  /** A member has no replica yet. */
  record CreateReplica(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.ensureReplica(tabletId, serverUuid);
    }
  }

  /** A server may have a replica of a dropped tablet. */
  record DeleteReplica(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.ensureReplica(tabletId, serverUuid);
    }
  }

  /** A live server that is no member may have data of the tablet. */
  record TombstoneReplica(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.ensureReplica(tabletId, serverUuid);
    }
  }

  /** The leader has to apply the newest schema of the table. */
  record AlterSchema(String tabletId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.alterSchema(tabletId);
    }
  }

  /** The members are not those that the table should have. */
  record ChangeMembership(String tabletId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.changeMembership(tabletId);
    }
  }

  /** The tablet never ran and waits for a silent server; other servers can take it. */
  record ReplaceTablet(String tabletId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.replaceTablet(tabletId);
    }
  }

  /** A replica was reported to run, and the catalog still calls it uncreated. */
  record RecordCreated(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.recordCreated(tabletId, serverUuid);
    }
  }

  /** An alteration or a deletion may have come to its end; the catalog has to say so. */
  record FinishTable(String tableId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.finishTable(tableId);
    }
  }

  /** The time is over for which a softly deleted table is kept. */
  record RemoveExpired(String tableId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.removeExpired(tableId);
    }
  }
}
