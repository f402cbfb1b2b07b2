/**
 * Additions to the package of Ratis that implements a member of a group. {@link
 * org.apache.ratis.server.impl.PooledGroup} attaches a group to the threads that all groups share;
 * the other classes are the parts that do what Ratis threads did:
 *
 * <ul>
 *   <li>{@link org.apache.ratis.server.impl.TimedFollower}: waits for the election timeout
 *   <li>{@link org.apache.ratis.server.impl.EventDrivenLeader}: handles a leader's events
 *   <li>{@link org.apache.ratis.server.impl.PooledElection}: asks for votes
 *   <li>{@link org.apache.ratis.server.impl.PooledRoles}: creates these three
 *   <li>{@link org.apache.ratis.server.impl.PooledUpdater}: applies entries
 * </ul>
 *
 * <p>They are in this package because Ratis declares the classes that they extend package-private.
 * The compiler therefore notices most changes in Ratis; the private members that are used besides
 * are looked up when a group starts or first leads, so every test of a group notices the rest.
 */
package org.apache.ratis.server.impl;
