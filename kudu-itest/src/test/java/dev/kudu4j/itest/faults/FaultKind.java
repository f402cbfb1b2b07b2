package dev.kudu4j.itest.faults;

import dev.kudu4j.itest.support.AdminCalls;

/**
 * Kinds of faults, and how each ends. Faults of links and disks need a network and disks that the
 * test controls.
 */
enum FaultKind {
  /** {@code kill -9} and a restart. */
  KILL {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.daemon(fault.server()).kill();
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.daemon(fault.server()).start();
    }
  },

  /** An orderly shutdown and a restart. */
  RESTART {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.daemon(fault.server()).stop();
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.daemon(fault.server()).start();
    }
  },

  /**
   * SIGSTOP: the server's connections stay open, and it continues later without noticing the pause.
   */
  PAUSE {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.daemon(fault.server()).pause();
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.daemon(fault.server()).resume();
    }
  },

  /**
   * The server's disk is full. Data that it could not write may be missing from its memory, too, so
   * it is restarted.
   */
  FILL_DISK {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.disk(fault.server()).fill();
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.disk(fault.server()).free();
      if (cluster.daemon(fault.server()).isAlive()) {
        cluster.daemon(fault.server()).kill();
      }
      cluster.daemon(fault.server()).start();
    }
  },

  /** No packets pass between the server and any other server. Clients reach the server. */
  CUT_OFF {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.others(fault.server()).forEach(other -> cluster.cut(fault.server(), other));
      cluster.others(fault.server()).forEach(other -> cluster.cut(other, fault.server()));
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.others(fault.server()).forEach(other -> cluster.join(fault.server(), other));
      cluster.others(fault.server()).forEach(other -> cluster.join(other, fault.server()));
    }
  },

  /** The server gets no packets from other servers; they get its packets. */
  DEAF {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.others(fault.server()).forEach(other -> cluster.cut(other, fault.server()));
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.others(fault.server()).forEach(other -> cluster.join(other, fault.server()));
    }
  },

  /** No other server gets its packets; it gets theirs. */
  MUTE {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.others(fault.server()).forEach(other -> cluster.cut(fault.server(), other));
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.others(fault.server()).forEach(other -> cluster.join(fault.server(), other));
    }
  },

  /** No packets between it and one other server; a third server reaches both. */
  CUT_LINK {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.cut(fault.server(), fault.other());
      cluster.cut(fault.other(), fault.server());
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.join(fault.server(), fault.other());
      cluster.join(fault.other(), fault.server());
    }
  },

  /** The server gets the requests of clients and executes them; clients get no responses. */
  NO_ANSWERS {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      cluster.cut(fault.server(), Roster.CLIENTS);
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      cluster.join(fault.server(), Roster.CLIENTS);
    }
  },

  /** The server's clock jumps, and jumps back. */
  MOVE_CLOCK {
    @Override
    void strike(FrailCluster cluster, Fault fault) {
      setClock(cluster, fault, fault.clockMillis());
    }

    @Override
    void heal(FrailCluster cluster, Fault fault) {
      setClock(cluster, fault, 0);
    }

    private void setClock(FrailCluster cluster, Fault fault, long millis) {
      AdminCalls.setFlag(
          cluster.daemon(fault.server()), "clock_offset_usec", Long.toString(millis * 1_000));
    }
  };

  abstract void strike(FrailCluster cluster, Fault fault);

  abstract void heal(FrailCluster cluster, Fault fault);

  boolean isOfLinks() {
    return switch (this) {
      case CUT_OFF, DEAF, MUTE, CUT_LINK, NO_ANSWERS -> true;
      case KILL, RESTART, PAUSE, FILL_DISK, MOVE_CLOCK -> false;
    };
  }
}
