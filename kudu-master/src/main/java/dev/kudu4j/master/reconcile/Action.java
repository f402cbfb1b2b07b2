package dev.kudu4j.master.reconcile;

/**
 * One step that the master still has to execute. An action names only its subject, such as a
 * replica; the executor looks up which state the subject should have. So an action may be executed
 * twice, too late or after a fail-over without harm.
 */
public sealed interface Action {

  /** Executes actions. */
  interface Executor {
    /** Brings one server's replica to the state that {@link Reconciler#desired} returns. */
    void ensureReplica(String tabletId, String serverUuid);

    void alterSchema(String tabletId);

    void changeMembership(String tabletId);

    void replaceTablet(String tabletId);

    void recordCreated(String tabletId, String serverUuid);

    void finishTable(String tableId);

    void removeExpired(String tableId);
  }

  void execute(Executor executor);

  /** Create the replica of a member that has none yet. */
  record CreateReplica(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.ensureReplica(tabletId, serverUuid);
    }
  }

  /** Delete the replica of a dropped tablet that a server may have. */
  record DeleteReplica(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.ensureReplica(tabletId, serverUuid);
    }
  }

  /** Tombstone the replica that a live server may have although it is no member. */
  record TombstoneReplica(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.ensureReplica(tabletId, serverUuid);
    }
  }

  /** Have the tablet's leader apply the newest schema of the table. */
  record AlterSchema(String tabletId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.alterSchema(tabletId);
    }
  }

  /** Change the members of a tablet, since they are not those that it should have. */
  record ChangeMembership(String tabletId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.changeMembership(tabletId);
    }
  }

  /**
   * Replace a tablet that never ran and waits for a silent server, since other servers can take it.
   */
  record ReplaceTablet(String tabletId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.replaceTablet(tabletId);
    }
  }

  /** Record as created a replica that was reported to run. */
  record RecordCreated(String tabletId, String serverUuid) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.recordCreated(tabletId, serverUuid);
    }
  }

  /** Record that an alteration or a deletion of the table is complete, if it is. */
  record FinishTable(String tableId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.finishTable(tableId);
    }
  }

  /** Remove a soft-deleted table whose reserve time is over. */
  record RemoveExpired(String tableId) implements Action {
    @Override
    public void execute(Executor executor) {
      executor.removeExpired(tableId);
    }
  }
}
