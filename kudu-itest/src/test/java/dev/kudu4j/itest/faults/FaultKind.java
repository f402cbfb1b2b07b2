package dev.kudu4j.itest.faults;

import dev.kudu4j.itest.support.AdminCalls;

/**
 * What can befall a server, and how it ends. Links and disks can suffer only where there are some.
 */
enum FaultKind {
  /** {@code kill -9}, and a new start. */
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

  /** An orderly end, and a new start. */
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

  /** SIGSTOP: its connections stay open, and it wakes up in another time. */
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
   * No byte is left on its disk. What it could not write may be gone from its memory: it is
   * restarted.
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

  /** It and the other servers do not hear each other. Clients reach it. */
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

  /** It hears no other server; they hear it. */
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

  /** No other server hears it; it hears them. */
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

  /** It and one other do not hear each other; a third hears both. */
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

  /** It hears clients, and does what they ask; they do not hear it. */
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

  /** Its clock jumps, and jumps back. */
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
