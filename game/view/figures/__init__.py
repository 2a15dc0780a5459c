"""Figures of parts: cloth, poses, clips as data, painting and motion."""
